/** What a conversation knows by itself: no one declares it. */
export const SYSTEM_VARIABLES: ReadonlySet<string> = new Set(['context', 'input'])

/** The variable in a name that may lead into it: `order` of `order.total`, `items` of `items[0]`. */
export const rootName = (written: string): string => /^[^.[@\s]*/u.exec(written.trim())?.[0] ?? ''
