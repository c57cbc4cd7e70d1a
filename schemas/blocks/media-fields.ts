import { type BlockFields, blockField as f } from '../flow/block-field.ts'

/** A picture, sound or film with its words. */
export const mediaFields = {
  title: f.expression(),
  text: f.rich(),
  type: f.string(),
  uri: f.expression(),
  aspectRatio: f.string(),
} satisfies BlockFields
