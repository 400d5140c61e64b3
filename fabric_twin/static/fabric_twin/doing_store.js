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
const TOGETHER = 200; // reports of one request
const MOST = 1_000_000; // bytes of one request: few servers and proxies take less
const sent = ({ id, step, told, at, scanned, reason, photo }) => ({ id, step, told, at, scanned, reason, photo });

// The first of the queue, as many as one request carries.
function together(queue, many) {
    let size = 0;
    const some = queue.slice(0, many);
    const end = some.findIndex((report, place) => {
        size += new Blob([JSON.stringify(sent(report))]).size + 1;
        return place > 0 && size > MOST;
    });
    return end < 0 ? some : some.slice(0, end);
}

const drop = (ids) => stored("readwrite", (reports) => { ids.forEach((id) => reports.delete(id)); });
