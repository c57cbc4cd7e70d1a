import i18next from 'i18next'
import { type NamedPerson, nameOf } from '#web/components/person-avatar.tsx'

/** First names joined in the reader's language: `Marina and Ana`. */
export const namesOf = (people: readonly NamedPerson[]): string => {
  const names = people.map(person => person.firstname || nameOf(person))
  const most = names.slice(0, 3)
  const rest = names.length - most.length
  if (rest > 0) most.push(i18next.t('history:flow.others', { count: rest }))
  return new Intl.ListFormat(i18next.language, { type: 'conjunction' }).format(most)
}
