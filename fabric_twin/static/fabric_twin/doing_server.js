// What is asked of the server, and how its refusals are told.
"use strict";

class Refusal extends Error {}

// Asks under the address of an order; a refusal comes as an error of its own.
const server = (order) => {
    // What is wrong with fields, without the fields.
    const plain = (told) => (typeof told === "object" && told ? Object.values(told).map(plain).filter(Boolean).join(" ") : String(told));

    return async (path, body) => {
        const answer = await fetch(order.api + path, {
            method: "POST",
            headers: { "Content-Type": "application/json", "X-CSRFToken": order.csrf, Accept: "application/json" },
            body: JSON.stringify(body || {}),
            credentials: "same-origin",
            redirect: "error",
        });
        if (answer.status >= 500) { throw new TypeError("the server is not there"); }
        const told = await answer.json().catch(() => ({}));
        if (answer.ok) { return told; }
        const words = [told.what || told.detail || plain(told) || `the server says ${answer.status}`, told.remedy];
        const refusal = new Refusal(words.filter(Boolean).join(". "));
        // A word of its own is about the order; another one is about who asks.
        refusal.stranger = answer.status === 401 || (answer.status === 403 && !told.what);
        refusal.unusable = answer.status === 400 || answer.status === 413;
        throw refusal;
    };
};
