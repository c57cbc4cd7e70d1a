import { useTranslation } from 'react-i18next'
import type { NamedPerson } from '#web/components/person-avatar.tsx'

interface Line {
  readonly entity: string
  readonly action: string
  readonly person: NamedPerson | null
}

/** Person of a line. A failed sign-in without a person is nobody known, not the program. */
export const useActor = () => {
  const { t } = useTranslation('shell')
  return ({ entity, action, person }: Line): NamedPerson | null =>
    person === null && (action === 'signinfailed' || entity === 'signin')
      ? { id: '', username: t('bell.someone') }
      : person
}
