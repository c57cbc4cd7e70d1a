import { chakra } from '@chakra-ui/react'
import { User } from 'lucide-react'
import { initialsOf } from '#web/components/person-avatar.tsx'

/** A visitor: initials if the name is readable. No color: only console users have one. */
export const VisitorDisc = ({ name, size = 34 }: { readonly name: string | null; readonly size?: number }) => (
  <chakra.span
    aria-hidden="true"
    display="inline-flex"
    alignItems="center"
    justifyContent="center"
    flex="none"
    borderRadius="full"
    borderWidth="1px"
    borderColor="border.emphasized"
    bg="bg.sunken"
    color="fg.muted"
    fontWeight="semibold"
    style={{ width: size, height: size, fontSize: size * 0.36 }}
  >
    {name === null ? <User size={size * 0.46} /> : initialsOf(name)}
  </chakra.span>
)
