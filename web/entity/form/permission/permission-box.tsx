import { chakra } from '@chakra-ui/react'
import { ArrowUp } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Hint } from '#web/components/hint.tsx'
import type { Grant } from './permission-state.ts'

interface Props {
  readonly label: string
  readonly state: Grant | 'some'
  readonly isChanged: boolean
  readonly isDisabled: boolean
  /** Why it can not be changed here. */
  readonly hint?: string
  /** Column, for the arrow keys. */
  readonly column: string
  onChange(on: boolean): void
}

/** One permission, or all of a column: given, inherited, some of them, none. */
export const PermissionBox = ({ label, state, isChanged, isDisabled, hint, column, onChange }: Props) => {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current !== null) input.current.indeterminate = state === 'some'
  }, [state])
  const box = (
    <chakra.label
      display="inline-grid"
      placeItems="center"
      position="relative"
      boxSize={{ base: '44px', md: '32px' }}
      borderRadius="md"
      cursor={isDisabled ? 'default' : 'pointer'}
      {...(isChanged ? { bg: 'accent.subtle', boxShadow: 'inset 0 0 0 2px var(--chakra-colors-accent-solid)' } : {})}
    >
      <chakra.input
        ref={input}
        type="checkbox"
        aria-label={label}
        data-column={column}
        checked={state === 'given' || state === 'inherited'}
        disabled={isDisabled}
        onChange={event => onChange(event.target.checked)}
        boxSize="18px"
        accentColor="var(--chakra-colors-accent-solid)"
        opacity={state === 'inherited' ? 0 : 1}
        focusVisibleRing="outside"
      />
      {state === 'inherited' ? (
        <chakra.span
          position="absolute"
          display="grid"
          placeItems="center"
          boxSize="20px"
          borderWidth="1px"
          borderColor="border.emphasized"
          borderRadius="full"
          color="fg.muted"
          pointerEvents="none"
          aria-hidden="true"
        >
          <ArrowUp size={12} />
        </chakra.span>
      ) : null}
    </chakra.label>
  )
  return hint === undefined ? box : <Hint text={hint}>{box}</Hint>
}
