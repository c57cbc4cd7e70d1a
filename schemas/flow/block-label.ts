/**
 * Keys of locales/<language>/block.json, the most particular first: the first that exists is the label. A path names a
 * field from `properties` down, without item ids.
 */
export const blockLabel = {
  type: (type: string): readonly string[] => [`type.${type}`, 'type.unknown'],
  description: (type: string): readonly string[] => [`description.${type}`, 'description.unknown'],
  field: (type: string, path: readonly string[]): readonly string[] => [
    `field.${type}.${path.join('.')}`,
    `field.${path.at(-1) ?? ''}`,
  ],
  option: (path: readonly string[], value: string): readonly string[] => [`option.${path.at(-1) ?? ''}.${value}`],
  output: (type: string, connector: string): readonly string[] => [
    `output.${type}.${connector}`,
    `output.${connector}`,
  ],
  input: (type: string, connector: string): readonly string[] => [`input.${type}.${connector}`, `input.${connector}`],
  lint: (code: string): readonly string[] => [`lint.${code}`],
}
