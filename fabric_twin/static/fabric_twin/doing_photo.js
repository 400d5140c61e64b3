// A photo that a bad network can carry, and a server takes beside others.
"use strict";

const MOST_PHOTO = 700_000; // characters of a photo

async function small(file) {
    const picture = await createImageBitmap(file);
    for (let longest = 1280; ; longest /= 2) {
        const share = Math.min(1, longest / Math.max(picture.width, picture.height));
        const canvas = Object.assign(document.createElement("canvas"), {
            width: Math.max(1, Math.round(picture.width * share)), height: Math.max(1, Math.round(picture.height * share)),
        });
        canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
        const photo = canvas.toDataURL("image/jpeg", 0.75);
        if (photo.length <= MOST_PHOTO || longest < 200) { return photo; }
    }
}
