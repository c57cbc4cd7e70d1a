/** Of the form of the block that is open. */
export const FORM = 'pl-inspector'
