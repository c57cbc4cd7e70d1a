import { Box, Button, HStack, Input, InputGroup, Kbd } from '@chakra-ui/react'
import { Search, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { useLabel } from '#web/entity/label.ts'
import { useShortcut } from '#web/shell/use-shortcut.ts'
import { FilterBar } from './filter-bar.tsx'
import { ListTools, type MatrixView } from './list-tools.tsx'
import type { ListControl } from './use-list-state.ts'

const SEARCH_DELAY_MS = 250

interface SearchBoxProps {
  readonly entity: EntityDeclaration
  readonly search: string
  onChange(search: string): void
}

const SearchBox = ({ entity, search, onChange }: SearchBoxProps) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const box = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(search)
  const latest = useRef(onChange)
  latest.current = onChange
  useShortcut('/', () => box.current?.focus())
  // The search sent from here returns later, perhaps after more typing.
  const sent = useRef(search)
  useEffect(() => {
    if (search === sent.current) return
    sent.current = search
    setTyped(search)
  }, [search])
  useEffect(() => {
    if (typed === search) return
    const timer = setTimeout(() => {
      sent.current = typed
      latest.current(typed)
    }, SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [typed, search])
  return (
    <InputGroup
      w={{ base: 'auto', md: '232px', xl: '264px' }}
      flex={{ base: '1', md: 'none' }}
      startElement={<Search size={15} aria-hidden="true" />}
      endElement={
        <Kbd hideBelow="md" aria-hidden="true">
          /
        </Kbd>
      }
    >
      <Input
        ref={box}
        type="search"
        placeholder={t('list.search')}
        aria-label={t('list.searchin', { name: label.plural(entity.name) })}
        value={typed}
        onChange={event => setTyped(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Escape' && typed !== '') setTyped('')
        }}
      />
    </InputGroup>
  )
}

interface Props {
  readonly entity: EntityDeclaration
  readonly control: ListControl
  readonly fixed: Readonly<Record<string, string>>
  readonly isNarrow: boolean
  readonly matrix?: MatrixView | undefined
  /** In place of the filters while the matrix is shown. */
  readonly matrixFilter?: ReactNode
}

/** Search, filters, and how the list is shown. In a narrow window the filters have a line of their own. */
export const ListBar = ({ entity, control, fixed, isNarrow, matrix, matrixFilter }: Props) => {
  const { t } = useTranslation('shell')
  const { state, set } = control
  const search = <SearchBox entity={entity} search={state.search} onChange={next => set({ search: next })} />
  const tools = (
    <ListTools
      entity={entity}
      control={control}
      isNarrow={isNarrow}
      matrix={matrix}
      isMatrix={matrixFilter !== undefined}
    />
  )
  const filters = (
    <HStack
      gap="2"
      flex="1"
      minW="0"
      py="1"
      px="0.5"
      {...(isNarrow ? { overflowX: 'auto', scrollbarWidth: 'none' } : { flexWrap: 'wrap', rowGap: '1.5' })}
    >
      {matrixFilter ?? <FilterBar entity={entity} state={state} fixed={fixed} onChange={set} />}
      {matrixFilter !== undefined ? null : (
        <Button
          variant="ghost"
          flex="none"
          fontWeight="normal"
          aria-pressed={state.removed}
          onClick={() => set({ removed: !state.removed })}
        >
          <Trash2 size={15} aria-hidden="true" />
          {t('list.removed')}
        </Button>
      )}
    </HStack>
  )
  if (isNarrow) {
    return (
      <>
        <HStack gap="1">
          {search}
          {tools}
        </HStack>
        <HStack mb="3">{filters}</HStack>
      </>
    )
  }
  return (
    <HStack mb="3" gap="2" align="flex-start">
      <Box flex="none" py="1">
        {search}
      </Box>
      {filters}
      <Box flex="none" py="1">
        {tools}
      </Box>
    </HStack>
  )
}
