// Reports in the phone (IndexedDB), until the server has taken them.
"use strict";

const base = () => new Promise((resolve, reject) => {
    const opening = indexedDB.open("fabric-twin", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("reports", { keyPath: "id" });
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
});

async function stored(mode, act) {
    const database = await base();
    return new Promise((resolve, reject) => {
        const change = database.transaction("reports", mode);
        const asked = act(change.objectStore("reports"));
        change.oncomplete = () => { database.close(); resolve(asked && asked.result); };
        change.onerror = () => { database.close(); reject(change.error); };
    });
}

const keep = (report) => stored("readwrite", (reports) => reports.put(report));
const drop = (ids) => stored("readwrite", (reports) => { ids.forEach((id) => reports.delete(id)); });
