/** Python's spelling of what JavaScript writes otherwise: `(?i)` in front, `(?P<name>`. */
export const inJavaScript = (pattern: string): string =>
  pattern.replace(/^\(\?[imsux]+\)/u, '').replaceAll('(?P<', '(?<')

/** The pattern for finding all of its matches, whatever the capitals; undefined where it is none. */
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
