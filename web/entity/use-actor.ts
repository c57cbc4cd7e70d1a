import { useTranslation } from 'react-i18next'
import type { NamedPerson } from '#web/components/person-avatar.tsx'

interface Line {
  readonly entity: string
  readonly action: string
  readonly person: NamedPerson | null
}

/** Who did it: the program without a person, but anybody may have tried a password. */
export const useActor = () => {
  const { t } = useTranslation('shell')
  return ({ entity, action, person }: Line): NamedPerson | null =>
    person === null && (action === 'signinfailed' || entity === 'signin')
      ? { id: '', username: t('bell.someone') }
      : person
}
