// Words and rows that the phone's page shows.
"use strict";

// What is said where no step is to be done.
const ENDINGS = {
    "drafted": "Nobody has this order yet.", "assigned": "Ready to start.", "paused": "Paused.",
    "reopened": "Reopened: something is not as it should be.", "awaiting light": "All manual steps are done. A light test has to pass.",
    "done": "Done.", "withdrawn": "Withdrawn.", "under way": "Every step of this crew is done.",
};

// Where a rack stands.
const spot = (rack) => [rack.row && `row ${rack.row}`, rack.place && `place ${rack.place}`].filter(Boolean).join(", ");

function fill(list, rows) {
    list.replaceChildren(...rows.map((row) => {
        const item = document.createElement(list.id === "facts" ? "div" : "li");
        item.append(...row);
        return item;
    }));
}

const bold = (words) => Object.assign(document.createElement("b"), { textContent: words });
