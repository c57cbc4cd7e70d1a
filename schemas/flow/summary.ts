import type { ReferenceField } from './block-field.ts'

/** A block's name for history, audit and notifications. */
export interface BlockMention {
  readonly id: string
  readonly type: string
  readonly title: string
}
export interface BlockChange extends BlockMention {
  /** `title`, `pos`, `type`, or a property's dotted name. */
  readonly fields: readonly string[]
}
export interface LinkMention {
  readonly id: string
  readonly from: string
  readonly to: string
}

/** Changes of an edit. `script`: a handler's code changed. */
export interface FlowSummary {
  readonly added: readonly BlockMention[]
  readonly changed: readonly BlockChange[]
  readonly removed: readonly BlockMention[]
  readonly links: {
    readonly added: readonly LinkMention[]
    readonly changed: readonly LinkMention[]
    readonly removed: readonly LinkMention[]
  }
  readonly script: boolean
}

export const NO_CHANGES = {
  added: [],
  changed: [],
  removed: [],
  links: { added: [], changed: [], removed: [] },
  script: false,
} satisfies FlowSummary

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

const TARGETS: Readonly<Record<Exclude<ReferenceField['to'], 'block' | 'variable'>, true>> = {
  bot: true,
  dialogtask: true,
  dialog: true,
  handler: true,
  variableschema: true,
  oauth: true,
  template: true,
}

/** Entities that blocks of a flow point to. */
export const ENTITIES_IN_FLOWS: ReadonlySet<string> = new Set(Object.keys(TARGETS))
