import { Box, chakra, Text } from '@chakra-ui/react'
import { useQueries } from '@tanstack/react-query'
import { Check, Plus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#web/api/client.ts'
import { Floating } from '#web/components/floating.tsx'

type Params = Readonly<Record<string, string>>

interface Props {
  readonly title: string
  readonly value: string | undefined
  readonly options: readonly { readonly value: string; readonly label: string }[]
  /** Where to ask how many each option would leave. */
  readonly count?: { readonly path: string; readonly params: Params; readonly field: string }
  onChange(value: string | undefined): void
}

const Options = ({
  options,
  value,
  count,
  onChoose,
}: Omit<Props, 'title' | 'onChange'> & { onChoose: (value: string) => void }) => {
  const counts = useQueries({
    queries: options.map(option => ({
      queryKey: ['count', count?.path, count?.params, count?.field, option.value],
      queryFn: async () => {
        const params = { ...count?.params, [count?.field ?? '']: option.value, size: 1 }
        return (await api.get<{ total: number }>(count?.path ?? '', params)).total
      },
      enabled: count !== undefined,
    })),
  })
  return options.map((option, at) => (
    <chakra.button
      key={option.value}
      type="button"
      role="menuitemradio"
      aria-checked={option.value === value}
      onClick={() => onChoose(option.value)}
      display="flex"
      alignItems="center"
      gap="2.5"
      w="100%"
      minH={{ base: '11', md: '8' }}
      px="2"
      borderRadius="sm"
      fontSize="sm"
      textAlign="start"
      cursor="pointer"
      _hover={{ bg: 'bg.subtle' }}
      _focusVisible={{ bg: 'bg.subtle', outline: 'none' }}
    >
      <Box boxSize="4" color="accent.fg">
        {option.value === value ? <Check size={16} aria-hidden="true" /> : null}
      </Box>
      <Text as="span" flex="1">
        {option.label}
      </Text>
      <Text as="span" textStyle="secondary" color="fg.subtle" fontVariantNumeric="tabular-nums">
        {counts[at]?.data}
      </Text>
    </chakra.button>
  ))
}

/** A dashed `+ Status` that becomes a filled chip with its value and a way to take it off. */
export const FilterChip = ({ title, value, options, count, onChange }: Props) => {
  const { t } = useTranslation('shell')
  const anchor = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const chosen = options.find(option => option.value === value)
  const look = {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1.5',
    h: { base: '9', md: '30px' },
    px: '2.5',
    borderWidth: '1px',
    fontSize: 'sm',
    whiteSpace: 'nowrap',
    cursor: 'pointer',
    focusVisibleRing: 'outside',
  } as const
  return (
    <Box display="inline-flex" flex="none">
      <chakra.button
        ref={anchor}
        type="button"
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        {...look}
        {...(chosen
          ? {
              bg: 'accent.subtle',
              borderColor: 'accent.border',
              borderRightWidth: '0',
              color: 'accent.fg',
              fontWeight: 'semibold',
              borderLeftRadius: 'md',
            }
          : {
              borderStyle: 'dashed',
              borderColor: 'border.emphasized',
              color: 'fg.muted',
              borderRadius: 'md',
              _hover: { bg: 'bg.subtle', color: 'fg' },
            })}
      >
        {chosen ? null : <Plus size={14} aria-hidden="true" />}
        {chosen ? `${title}: ${chosen.label}` : title}
      </chakra.button>
      {chosen ? (
        <chakra.button
          type="button"
          aria-label={t('list.without', { name: title })}
          onClick={() => onChange(undefined)}
          {...look}
          px="1.5"
          bg="accent.subtle"
          borderColor="accent.border"
          borderLeftWidth="0"
          borderRightRadius="md"
          color="accent.fg"
          _hover={{ bg: 'accent.muted' }}
        >
          <X size={14} aria-hidden="true" />
        </chakra.button>
      ) : null}
      {open ? (
        <Floating anchor={anchor.current} onClose={() => setOpen(false)} p="1.5" minW="220px" maxH="360px">
          <Box role="menu" aria-label={title}>
            <Options
              options={options}
              value={value}
              {...(count ? { count } : {})}
              onChoose={next => {
                onChange(next === value ? undefined : next)
                setOpen(false)
              }}
            />
          </Box>
        </Floating>
      ) : null}
    </Box>
  )
}
