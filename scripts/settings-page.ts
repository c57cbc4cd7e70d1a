import { SETTING_GROUPS, settingNames, settingNote, settingsSchema } from '../schemas/settings.ts'

const HEAD = `# Settings

Settings are environment variables of the gateway and of \`npx parley\`. An empty variable counts as absent. A wrong value
stops the start with one line that names the setting.

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
