/**
 * Names inside a rich text's Y.XmlFragment, shared by the editor and the document: paragraphs hold text with marks,
 * line breaks and variables, an inline atom. Its name is an attribute, and so is each mark it bears, with the value `marked`.
 * A paragraph that was spelled in another way than it would be written (`<strong>`, tags across others) says how, in `spelled`.
 */
export const RICH_MARKUP = {
  paragraph: 'paragraph',
  lineBreak: 'hardBreak',
  variable: 'variable',
  variableName: 'name',
  bold: 'bold',
  italic: 'italic',
  underline: 'underline',
  spelled: 'spelled',
  marked: 'true',
} as const
