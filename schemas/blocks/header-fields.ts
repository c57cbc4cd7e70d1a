import { type BlockFields, blockField as f } from '../flow/block-field.ts'

/** A header of a call; offers common names. */
export const headerFields = {
  name: f.string({
    offered: ['Authorization', 'Accept', 'Accept-Language', 'Content-Type', 'User-Agent', 'X-API-Key'],
  }),
  value: f.expression(),
} satisfies BlockFields
