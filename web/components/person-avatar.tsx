import { chakra } from '@chakra-ui/react'
import i18next from 'i18next'
import { UserX } from 'lucide-react'
import { personColor } from '#domain/color.ts'

export interface NamedPerson {
  readonly id: string
  readonly username: string | null
  readonly firstname?: string | null | undefined
  readonly lastname?: string | null | undefined
  readonly forgotten?: true | undefined
}

export const nameOf = (person: NamedPerson | null | undefined): string => {
  if (!person) return 'Parley'
  if (person.forgotten) return i18next.t('shell:forgotten')
  const full = [person.firstname, person.lastname].filter(Boolean).join(' ')
  return full || person.username || '—'
}

export const initialsOf = (name: string): string => {
  const words = name.split(/[\s._-]+/u).filter(Boolean)
  const first = words[0] ?? '?'
  const last = words.length > 1 ? (words.at(-1) ?? '') : ''
  return `${[...first][0] ?? ''}${[...last][0] ?? [...first][1] ?? ''}`.toUpperCase()
}

interface Props {
  readonly person: NamedPerson | null | undefined
  /** Pixels. */
  readonly size?: number
  /** A ring in the surface's colour, for avatars that overlap. */
  readonly ring?: boolean
}

const Initials = ({ person, size = 24 }: Pick<Props, 'person' | 'size'>) => {
  if (!person) return 'P'
  if (person.forgotten) return <UserX size={Math.round(size * 0.55)} />
  return person.username === null ? '' : initialsOf(nameOf(person))
}

/** Initials of a person in their color. Decorative beside a written name, hence hidden from screen readers. */
export const PersonAvatar = ({ person, size = 24, ring = false }: Props) => (
  <chakra.span
    aria-hidden="true"
    display="inline-flex"
    alignItems="center"
    justifyContent="center"
    flex="none"
    borderRadius="full"
    fontWeight="semibold"
    letterSpacing="0.2px"
    lineHeight="1"
    color={{ base: 'white', _dark: '#121211' }}
    bg={person && !person.forgotten ? `person.${personColor(person.id)}` : 'fg.subtle'}
    style={{
      width: size,
      height: size,
      fontSize: Math.max(9, Math.round(size * 0.38)),
      boxShadow: ring ? '0 0 0 2px var(--chakra-colors-bg-surface)' : undefined,
    }}
  >
    <Initials person={person} size={size} />
  </chakra.span>
)
