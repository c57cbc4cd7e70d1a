/** Where all that is carried stays, however far, in flow pixels. */
const FAR = 100_000

/**
 * An empty ground for what moves in a drawing of its own. The browser paints it alone, without arranging all of the flow
 * anew, only while everything in it takes up the same room as in the frame before.
 */
export const Ground = () => <rect x={-FAR} y={-FAR} width={2 * FAR} height={2 * FAR} fill="transparent" />
