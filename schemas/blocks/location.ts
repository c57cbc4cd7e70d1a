import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const location = defineBlock({
  type: 'location',
  category: 'interaction',
  icon: 'MapPin',
  fields: {
    address: f.string(),
    latitude: f.expression(),
    longitude: f.expression(),
    varname: f.reference('variable', { tab: 'answer' }),
  },
})
