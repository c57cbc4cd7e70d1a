/**
 * Names inside a rich text's Y.XmlFragment, shared by the editor and the document: paragraphs hold text with marks,
 * line breaks and variables, an inline atom. Its name is an attribute, and so is each mark it bears, with the value `marked`.
 */
export const RICH_MARKUP = {
  paragraph: 'paragraph',
  lineBreak: 'hardBreak',
  variable: 'variable',
  variableName: 'name',
  bold: 'bold',
  italic: 'italic',
  marked: 'true',
} as const
