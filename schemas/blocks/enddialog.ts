import { defineBlock } from '../block.ts'

export const enddialog = defineBlock({ type: 'enddialog', category: 'flow', icon: 'CircleStop', outputs: [] })
