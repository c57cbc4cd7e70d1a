import { derivedId } from '../pipeline/event-id.ts'

/** Holder of the key that masked answers of a conversation are sealed under until it ends (RUNTIME 85). */
export const maskedHolder = (conversation: string): string => derivedId(conversation, 'masked')
