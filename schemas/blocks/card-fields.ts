import { type BlockFields, blockField as f } from '../flow/block-field.ts'

/** A card's button: what it does and with what. */
export const buttonFields = {
  type: f.enumeration(['openUrl', 'imBack', 'postBack'], { open: true }),
  title: f.string(),
  value: f.expression(),
} satisfies BlockFields

/** What a card shows; the variable, hero and other cards share it. */
export const cardFields = {
  title: f.expression(),
  subtitle: f.expression(),
  text: f.rich(),
  image: f.expression(),
  thumbnailimage: f.expression(),
  buttons: f.list(buttonFields, { max: 10 }),
} satisfies BlockFields
