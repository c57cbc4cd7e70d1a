import { defineBlock } from '../block.ts'

export const endconversation = defineBlock({ type: 'endconversation', category: 'flow', icon: 'LogOut', outputs: [] })
