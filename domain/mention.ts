const MENTION = /<@([\w-]{1,100})>/gu

/** People whom one text may name: each is looked up and told. */
export const MAX_NAMED = 50

/** A person within the text of a comment: `<@id>`, so that a text follows renames and forgets with the person. */
export const mention = (user: string): string => `<@${user}>`

/** Ids of the people whom a text names, each once. */
export const mentionsIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(MENTION)].map(([, user = '']) => user)),
]

type CommentPart = { readonly text: string } | { readonly user: string }

/** A text in the order of its parts: what was written, and who was named. */
export const partsOf = (text: string): readonly CommentPart[] =>
  text.split(MENTION).flatMap((part, at): CommentPart[] => {
    if (at % 2 === 1) return [{ user: part }]
    return part === '' ? [] : [{ text: part }]
  })
