/** Python's spelling of what JavaScript writes otherwise: `(?i)` in front, `(?P<name>`. */
export const inJavaScript = (pattern: string): string =>
  pattern.replace(/^\(\?[imsux]+\)/u, '').replaceAll('(?P<', '(?<')

/** The pattern to find all of its matches, case-insensitive; undefined if invalid. */
export const compilePattern = (pattern: string): RegExp | undefined => {
  for (const flags of ['giu', 'gi']) {
    try {
      return new RegExp(inJavaScript(pattern), flags)
    } catch {
      // Without `u`, escapes that mean nothing are allowed.
    }
  }
  return undefined
}
