import type { JsonObject } from '#schemas/event.ts'

/** Version 1 named a code sample's document `markdowndoc`. */
export const markdownDoc = (data: JsonObject): JsonObject => {
  const { markdowndoc, ...fields } = data.fields as JsonObject
  return markdowndoc === undefined ? data : { ...data, fields: { ...fields, markdown_doc: markdowndoc } }
}
