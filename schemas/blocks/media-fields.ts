import { type BlockFields, blockField as f } from '../flow/block-field.ts'
import { ATTACHMENT_TYPES } from './attachment-type.ts'

/** A picture, sound or film with its words. */
export const mediaFields = {
  title: f.expression(),
  text: f.rich(),
  uri: f.expression({ upload: { accept: 'media', type: 'type' } }),
  type: f.enumeration(ATTACHMENT_TYPES, { initial: '', open: true }),
  aspectRatio: f.enumeration(['1:1', '16:9', '4:3', '3:4'], { initial: '', open: true }),
} satisfies BlockFields
