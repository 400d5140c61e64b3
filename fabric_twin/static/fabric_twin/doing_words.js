// Words and rows that the phone's page shows.
"use strict";

// The page may be one that was kept before an update, and lack a part that is written to here. A
// part that is shown nowhere takes its place, so that reports are still sent.
const missing = new Map();
function $(id) {
    if (!missing.has(id)) { missing.set(id, document.createElement("p")); }
    return document.getElementById(id) || missing.get(id);
}

// What is said where no step is to be done.
const ENDINGS = {
    "drafted": "This order is not assigned yet.", "assigned": "Ready to start.", "paused": "Paused.",
    "reopened": "Reopened: something is not as it should be.", "awaiting light": "All manual steps are done. A test has to pass.",
    "done": "Done.", "withdrawn": "Withdrawn.", "under way": "Every step of this crew is done.",
};

// Where a rack stands.
const spot = (rack) => [rack.building, rack.row && `row ${rack.row}`, rack.place && `place ${rack.place}`].filter(Boolean).join(", ");

function fill(list, rows) {
    list.replaceChildren(...rows.map((row) => {
        const item = document.createElement(list.id === "facts" ? "div" : "li");
        item.append(...row);
        return item;
    }));
}

const bold = (words) => Object.assign(document.createElement("b"), { textContent: words });
