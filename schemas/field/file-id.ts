/** An upload's id as POST /file gives it. */
export const FILE_ID = /^[\da-f]{64}$/
