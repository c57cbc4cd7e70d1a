import type { Conversation } from './conversation-query.ts'

/** Letters by which the same person is known again, though not who it is. */
export const signOf = ({ person }: Pick<Conversation, 'person'>): string =>
  person.replaceAll('-', '').slice(0, 4).toUpperCase()
