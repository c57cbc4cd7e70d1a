import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const location = defineBlock({
  type: 'location',
  category: 'interaction',
  icon: 'MapPin',
  summary: '{address} · {latitude}, {longitude}',
  fields: {
    address: f.string(),
    latitude: f.expression({ half: true }),
    longitude: f.expression({ half: true }),
    varname: f.reference('variable', { tab: 'answer' }),
  },
  rules: [
    { field: 'latitude', check: 'latitude', severity: 'warning' },
    { field: 'longitude', check: 'longitude', severity: 'warning' },
  ],
})
