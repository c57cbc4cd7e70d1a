/** Built-in variables of a conversation (RUNTIME 54), never declared. */
export const SYSTEM_VARIABLES: ReadonlySet<string> = new Set([
  'context',
  'input',
  'user',
  'contact',
  'conversation',
  'channel',
  'bot',
  'intent',
  'entities',
  'tags',
  'handler',
  'agent',
  'campaign',
  'now',
])

/** Whether a variable name is valid, independent of its language. */
export const isPlainName = (written: string): boolean => /^[\p{L}_$][\p{L}\d_$]*$/u.test(written)

/** The variable in a name that may lead into it: `order` of `order.total`, `items` of `items[0]`. */
export const rootName = (written: string): string => /^[^.[@\s]*/u.exec(written.trim())?.[0] ?? ''

/** Whether this names a variable or leads into one, as {@link rootName} reads it: no further word follows. */
export const isPlainPath = (written: string): boolean => {
  const root = rootName(written)
  return isPlainName(root) && /^(?:$|[.[@])/u.test(written.trim().slice(root.length))
}
