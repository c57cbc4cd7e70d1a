/**
 * Names inside a rich text's Y.XmlFragment, shared by the editor and the document: paragraphs hold text with marks,
 * line breaks and variables, an inline atom with one attribute.
 */
export const RICH_MARKUP = {
  paragraph: 'paragraph',
  lineBreak: 'hardBreak',
  variable: 'variable',
  variableName: 'name',
  bold: 'bold',
  italic: 'italic',
} as const
