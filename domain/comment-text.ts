const MENTION = /<@([\w-]{1,100})>/gu

/** A person within the text of a comment: `<@id>`, so that a text follows renames and forgets with the person. */
export const mention = (user: string): string => `<@${user}>`

/** Ids of the people in a text, each once. */
export const mentionsIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(MENTION)].map(([, user = '']) => user)),
]

type CommentPart = { readonly text: string } | { readonly user: string }

/** Parts of a text, in order: written text and mentions. */
export const partsOf = (text: string): readonly CommentPart[] =>
  text.split(MENTION).flatMap((part, at): CommentPart[] => {
    if (at % 2 === 1) return [{ user: part }]
    return part === '' ? [] : [{ text: part }]
  })
