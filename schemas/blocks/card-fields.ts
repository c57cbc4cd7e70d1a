import type { BlockRule } from '../block.ts'
import { type BlockFields, blockField as f } from '../flow/block-field.ts'
import { addressRules } from './address-rules.ts'

/** Actions of a button. */
const CARD_ACTIONS = ['openUrl', 'imBack', 'postBack'] as const

/** A card's button: its action and value. */
export const buttonFields = {
  type: f.enumeration(CARD_ACTIONS, { open: true }),
  title: f.string(),
  value: f.expression(),
} satisfies BlockFields

/** A button says something; one that opens an address has one. */
export const buttonRules = (list: string): readonly BlockRule[] => [
  { field: `${list}.title`, check: 'required', severity: 'warning' },
  { field: `${list}.value`, check: 'required', severity: 'warning' },
  ...addressRules(`${list}.value`, { when: { [`${list}.type`]: ['openUrl'] } }),
]

/** Content of a card; the variable, hero and other cards share it. */
export const cardFields = {
  title: f.expression(),
  subtitle: f.expression(),
  text: f.rich(),
  image: f.expression({ upload: { accept: 'picture' } }),
  thumbnailimage: f.expression({ upload: { accept: 'picture' } }),
  buttons: f.list(buttonFields, { max: 10 }),
} satisfies BlockFields

export const cardRules: readonly BlockRule[] = [
  { field: 'image', check: 'picture', severity: 'warning' },
  { field: 'thumbnailimage', check: 'picture', severity: 'warning' },
  ...buttonRules('buttons'),
]
