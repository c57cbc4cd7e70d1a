import { chakra } from '@chakra-ui/react'
import type { LucideIcon } from 'lucide-react'

interface Option<T extends string> {
  readonly value: T
  readonly label: string
  readonly icon?: LucideIcon
  readonly iconOnly?: boolean
}

interface Props<T extends string> {
  readonly label: string
  readonly value: T | undefined
  readonly options: readonly Option<T>[]
  onChange(value: T): void
}

/** A few ways of showing the same, one of which holds. */
export const Segments = <T extends string>({ label, value, options, onChange }: Props<T>) => (
  <chakra.div
    role="group"
    aria-label={label}
    display="inline-flex"
    gap="2px"
    p="2px"
    borderRadius="8px"
    bg="bg.sunken"
    flex="none"
  >
    {options.map(option => (
      <chakra.button
        key={option.value}
        type="button"
        aria-pressed={option.value === value}
        {...(option.iconOnly ? { 'aria-label': option.label, title: option.label } : {})}
        onClick={() => onChange(option.value)}
        display="inline-flex"
        alignItems="center"
        gap="1.5"
        h={{ base: '11', md: '7' }}
        px="2.5"
        borderRadius="6px"
        fontSize="xs"
        fontWeight="semibold"
        whiteSpace="nowrap"
        cursor="pointer"
        color={option.value === value ? 'fg' : 'fg.muted'}
        bg={option.value === value ? 'bg.surface' : 'transparent'}
        boxShadow={option.value === value ? 'block' : 'none'}
        _hover={{ color: 'fg' }}
        focusVisibleRing="outside"
      >
        {option.icon ? <option.icon size={15} strokeWidth={1.75} aria-hidden="true" /> : null}
        {option.iconOnly ? null : option.label}
      </chakra.button>
    ))}
  </chakra.div>
)
