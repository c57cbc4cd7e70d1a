import { chakra } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { type NamedPerson, nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'

interface MentionListProps {
  readonly id: string
  readonly people: readonly NamedPerson[]
  readonly active: number
  readonly onChoose: (person: NamedPerson) => void
}

/** Who may be named: those who see the flow. The text keeps the focus; the arrows move in it. */
export const MentionList = ({ id, people, active, onChoose }: MentionListProps) => {
  const { t } = useTranslation('comment')
  return (
    <div id={id} role="listbox" aria-label={t('people')} className="pl-mentions">
      {people.map((person, index) => (
        <div
          key={person.id}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className="pl-choice"
          data-active={index === active || undefined}
          // Pressed, not clicked: the text would lose the focus first.
          onPointerDown={event => {
            event.preventDefault()
            onChoose(person)
          }}
        >
          <PersonAvatar person={person} size={22} />
          <chakra.span flex="1" truncate>
            {nameOf(person)}
          </chakra.span>
          <chakra.span fontSize="xs" color="fg.subtle">
            {person.username}
          </chakra.span>
        </div>
      ))}
    </div>
  )
}
