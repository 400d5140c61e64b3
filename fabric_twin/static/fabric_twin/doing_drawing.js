// Where a step is, drawn: the rack with its device, and the panel with its port.
"use strict";

function shape(name, facts, words) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.entries(facts).forEach(([key, value]) => made.setAttribute(key, value));
    if (words !== undefined) { made.textContent = words; }
    return made;
}

const drawn = (() => {
    function drawing(width, height, label, parts) {
        const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label });
        svg.append(...parts);
        return svg;
    }

    // The number of a port beside it, on the side where there is room.
    function number_at(x, y, name) {
        const right = x < 150;
        return shape("text", { class: "beside", "text-anchor": right ? "start" : "end", x: right ? x + 8 : x - 8, y: y + 5 }, name);
    }

    function drawn(step) {
        const all = [];
        const units = step.rack.units;
        if (units && step.unit) {
            const each = 150 / units;
            const top = 150 - each * (step.unit - 1 + Math.max(1, step.height));
            all.push(drawing(76, 170, `Unit ${step.unit} of ${units}`, [
                shape("rect", { class: "all", x: 6, y: 1, width: 40, height: 150 }),
                shape("rect", { class: "here", x: 7, y: top + 1, width: 38, height: each * Math.max(1, step.height) }),
                shape("text", { x: 50, y: Math.min(150, Math.max(11, top + each + 4)) }, `U${step.unit}`),
                shape("text", { x: 6, y: 166 }, "rack"),
            ]));
        }
        const panel = step.panel;
        if (panel && panel.of === "face") {
            const [wide, high] = panel.size;
            const cells = [];
            for (let i = 1; i <= wide; i += 1) {
                for (let j = 1; j <= high; j += 1) {
                    const here = i === panel.at[0] && j === panel.at[1];
                    cells.push(shape("circle", { class: here ? "here" : "one", cx: 18 + 32 * (i - 1), cy: 18 + 32 * (high - j), r: here ? 13 : 9 }));
                }
            }
            cells.push(shape("text", { class: "number", "text-anchor": "middle", x: 18 + 32 * (panel.at[0] - 1), y: 22 + 32 * (high - panel.at[1]) }, panel.index));
            cells.push(shape("text", { x: 4, y: 32 * high + 20 }, `face ${panel.name}, ${panel.index}`));
            all.push(drawing(Math.max(110, 32 * wide + 8), 32 * high + 26, `Face ${panel.name}, port ${panel.index}`, cells));
        } else if (panel) {
            const number = parseInt(panel.name, 10);
            const side = panel.name.replace(/\d+/, "");
            const sides = side ? ["A", "B"] : [""];
            const count = Math.ceil(panel.ports / sides.length);
            const a_row = 16;
            const rows = Math.ceil(count / a_row);
            const dots = [];
            const written = []; // above all dots
            sides.forEach((of, block) => {
                for (let port = 1; port <= count; port += 1) {
                    const here = of === side && port === number;
                    const x = 8 + 13 * ((port - 1) % a_row);
                    const y = 8 + 9 * Math.floor((port - 1) / a_row) + block * (9 * rows + 14);
                    if (here) { written.push(number_at(x, y, panel.name)); }
                    dots.push(shape("rect", { class: here ? "here" : "one", x: x - (here ? 5 : 3), y: y - (here ? 5 : 3), width: here ? 10 : 6, height: here ? 10 : 6, rx: 2 }));
                }
            });
            const high = sides.length * (9 * rows + 14) + 12;
            dots.push(shape("text", { x: 4, y: high - 2 }, `port ${panel.name}${side ? `, side ${side} ${side === "A" ? "above" : "below"}` : ""}`));
            all.push(drawing(216, high, `Port ${panel.name}`, [...dots, ...written]));
        }
        return all;
    }

    return drawn;
})();
