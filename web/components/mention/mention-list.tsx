import { chakra } from '@chakra-ui/react'
import { OptionRow } from '../option-row.tsx'
import { type NamedPerson, nameOf, PersonAvatar } from '../person-avatar.tsx'

interface MentionListProps {
  readonly id: string
  readonly label: string
  readonly className: string
  readonly people: readonly NamedPerson[]
  readonly active: number
  readonly onPoint: (index: number) => void
  readonly onChoose: (person: NamedPerson) => void
}

/** People to mention, under a text that keeps the focus; its arrow keys move the selection. */
export const MentionList = ({ id, label, className, people, active, onPoint, onChoose }: MentionListProps) => (
  <div id={id} role="listbox" aria-label={label} className={className}>
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
