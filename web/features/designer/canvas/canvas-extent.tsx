/** Extent that contains every dragged element, in flow pixels. */
const FAR = 100_000

/**
 * An empty background for elements that move in their own SVG. The browser paints the SVG alone, without a layout of
 * the whole flow, only while its contents keep the same extent as in the last frame.
 */
export const Ground = () => <rect x={-FAR} y={-FAR} width={2 * FAR} height={2 * FAR} fill="transparent" />
