import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SETTING_GROUPS, settingNames, settingNote, settingsSchema } from '../schemas/settings.ts'

const HEAD = `# Settings

Settings are environment variables of the gateway and of \`npx parley\`. An empty variable counts as absent. A wrong value
stops the start with one line that names the setting.

Each setting may come from a file instead: \`<NAME>_FILE\` holds its path, as in
\`PARLEY_KEY_FILE=/run/secrets/parley-key\`. The last line break of the file is cut off. The file is read once, at the start.
The start is refused when both variables are given, and when the file cannot be read, is empty or is larger than 64 KiB.

This page is generated from [schemas/settings.ts](../schemas/settings.ts) by \`npm run docs\`.
`

const cell = (text: string): string => text.replaceAll('|', '\\|')

const defaultOf = (name: keyof typeof settingsSchema.shape): string => {
  const { shownDefault } = settingNote(name)
  return shownDefault ?? `\`${settingsSchema.shape[name].parse(undefined)}\``
}

const rowOf = (name: keyof typeof settingsSchema.shape): string => {
  const { meaning, expected } = settingNote(name)
  return `| ${[`\`${name}\``, defaultOf(name), expected, meaning].map(cell).join(' | ')} |`
}

/** The text of docs/settings.md. */
export const settingsPage = (): string =>
  [
    HEAD,
    ...SETTING_GROUPS.flatMap(group => [
      `## ${group}\n`,
      '| name | default | value | meaning |',
      '|---|---|---|---|',
      ...settingNames.filter(name => settingNote(name).group === group).map(rowOf),
      '',
    ]),
  ].join('\n')

// `npm run docs`: writes the pages of docs/ that are generated from the code.
if (import.meta.main) writeFileSync(join(import.meta.dirname, '..', 'docs', 'settings.md'), settingsPage())
