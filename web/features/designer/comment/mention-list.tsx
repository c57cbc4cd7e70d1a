import { chakra } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { OptionRow } from '#web/components/option-row.tsx'
import { type NamedPerson, nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'

interface MentionListProps {
  readonly id: string
  readonly people: readonly NamedPerson[]
  readonly active: number
  readonly onPoint: (index: number) => void
  readonly onChoose: (person: NamedPerson) => void
}

/** Mention suggestions: readers of the flow. Focus stays in the text; arrows move the selection. */
export const MentionList = ({ id, people, active, onPoint, onChoose }: MentionListProps) => {
  const { t } = useTranslation('comment')
  return (
    <div id={id} role="listbox" aria-label={t('people')} className="pl-mentions">
      {people.map((person, index) => (
        <OptionRow
          key={person.id}
          list={id}
          index={index}
          active={active}
          onPoint={onPoint}
          onChoose={() => onChoose(person)}
        >
          <PersonAvatar person={person} size={22} />
          <chakra.span flex="1" truncate>
            {nameOf(person)}
          </chakra.span>
          <chakra.span fontSize="xs" color="fg.subtle">
            {person.username}
          </chakra.span>
        </OptionRow>
      ))}
    </div>
  )
}
