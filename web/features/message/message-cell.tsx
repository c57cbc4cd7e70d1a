import { Box, chakra, Text } from '@chakra-ui/react'
import { CircleDashed, EyeOff, Globe, type LucideIcon, MessageSquareText, PowerOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import type { ListPlace } from '#web/entity/list/use-list-state.ts'
import { CellEditor } from './cell-editor.tsx'
import type { GridPlace, MatrixCell, MatrixRow } from './matrix-query.ts'

interface Props {
  readonly place: ListPlace
  readonly row: MatrixRow
  readonly locale: string
  readonly language: string
  readonly at: GridPlace
  /** Whether it is the one in the tab order. */
  readonly isCurrent: boolean
  readonly isEditing: boolean
  onEdit(): void
  onDirty(isDirty: boolean): void
  onClose(): void
}

interface Source {
  readonly key: string
  readonly icon: LucideIcon
  readonly tone: 'warning' | 'accent' | 'neutral'
}

/** Source of a cell's text, as label and icon. */
const sourceOf = ({ source }: MatrixCell, isBot: boolean): Source => {
  switch (source) {
    case null:
      return { key: 'missing', icon: CircleDashed, tone: 'warning' }
    case 'own':
      return isBot
        ? { key: 'bot', icon: MessageSquareText, tone: 'accent' }
        : { key: 'level', icon: MessageSquareText, tone: 'neutral' }
    case 'hidden':
      return { key: 'hidden', icon: EyeOff, tone: 'neutral' }
    case 'general':
      return { key: isBot ? 'general' : 'above', icon: Globe, tone: 'neutral' }
  }
}

const sourcesOf = (cell: MatrixCell, isBot: boolean): readonly Source[] => [
  ...(cell.own?.enabled === false
    ? [{ key: isBot ? 'offbot' : 'offlevel', icon: PowerOff, tone: 'neutral' as const }]
    : []),
  sourceOf(cell, isBot),
]

const CellText = ({ cell, isBot }: { readonly cell: MatrixCell; readonly isBot: boolean }) => {
  const { t } = useTranslation('entity/localemessage')
  const text = cell.text ?? (cell.own?.enabled === false ? cell.own.message : '')
  return (
    <>
      {text === '' ? null : (
        <Text
          textStyle="dense"
          whiteSpace="pre-wrap"
          overflowWrap="anywhere"
          lineClamp={4}
          color={cell.source === 'own' ? 'fg' : 'fg.muted'}
        >
          {text}
        </Text>
      )}
      <chakra.span display="flex" flexWrap="wrap" gap="1.5" mt={text === '' ? '0' : '1.5'}>
        {sourcesOf(cell, isBot).map(({ key, icon: Icon, tone }) => (
          <Chip
            key={key}
            tone={tone}
            h="20px"
            fontWeight="medium"
            {...(tone === 'neutral' ? { bg: 'transparent', px: '0' } : {})}
          >
            <Icon size={12} aria-hidden="true" />
            {t(`matrix.source.${key}`)}
          </Chip>
        ))}
      </chakra.span>
    </>
  )
}

/** Border of a cell: while editing, and when its text is missing. */
const frameOf = (isEditing: boolean, isMissing: boolean, mayEdit: boolean) => {
  if (isEditing) return { borderStyle: 'solid', borderColor: 'border.emphasized' }
  const look = isMissing
    ? { borderStyle: 'dashed', borderColor: 'border.warning', bg: 'warning.subtle' }
    : { borderStyle: 'solid', borderColor: 'transparent' }
  return mayEdit ? { ...look, cursor: 'text', _hover: { borderColor: 'border.emphasized' } } : look
}

/** Message in one language, and its source. */
export const MessageCell = (props: Props) => {
  const { place, row, locale, language, at, isCurrent, isEditing, onEdit, onDirty, onClose } = props
  const { can } = useSession()
  const cell = row.messages[locale]
  if (cell === undefined) return null
  const mayEdit = can(`${cell.own === null ? 'create' : 'update'}${place.entity.name}`)
  const start = () => {
    if (mayEdit && !isEditing) onEdit()
  }
  return (
    <Box
      role="gridcell"
      data-cell={`${at.row},${at.column}`}
      tabIndex={isCurrent && !isEditing ? 0 : -1}
      aria-readonly={!mayEdit}
      minW="0"
      p="2.5"
      borderRadius="md"
      borderWidth="1px"
      focusVisibleRing="inside"
      {...frameOf(isEditing, cell.source === null, mayEdit)}
      onClick={start}
      onKeyDown={event => {
        if (event.target !== event.currentTarget || (event.key !== 'Enter' && event.key !== 'F2')) return
        event.preventDefault()
        start()
      }}
    >
      <Text hideFrom="md" textStyle="label" mb="1">
        {language}
      </Text>
      {isEditing ? (
        <CellEditor
          place={place}
          row={row}
          locale={locale}
          cell={cell}
          name={`${row.code}, ${language}`}
          onDirty={onDirty}
          onClose={onClose}
        />
      ) : (
        <CellText cell={cell} isBot={place.entity.name !== 'localemessage'} />
      )}
    </Box>
  )
}
