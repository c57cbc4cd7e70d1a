import { readFileSync } from 'node:fs'
import { WrongSetting } from '#schemas/settings.ts'

const MAX_BYTES = 65_536

const contentOf = (variable: string, file: string): string => {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    throw new WrongSetting(`${variable} must be the path of a file that can be read${code}`)
  }
  if (bytes.length > MAX_BYTES) throw new WrongSetting(`${variable} must be the path of a file of at most 64 KiB`)
  const content = bytes.toString().replace(/\r?\n$/, '')
  if (content === '') throw new WrongSetting(`${variable} must be the path of a file that is not empty`)
  return content
}

/**
 * The text of a setting: the variable of its name, or the file at the path in `<NAME>_FILE` without its last line break.
 * Undefined when both are absent or empty.
 * @throws WrongSetting that names the variable, never its text, which may be a secret
 */
export const givenSetting = (
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined => {
  const variable = `${name}_FILE`
  const file = environment[variable]
  const value = environment[name] || undefined
  if (!file) return value
  if (value === undefined) return contentOf(variable, file)
  throw new WrongSetting(`${name} and ${variable} must not both be given`)
}
