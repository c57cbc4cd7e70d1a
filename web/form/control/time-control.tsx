import { Box, Input } from '@chakra-ui/react'
import { momentOf } from '#web/format/time.ts'
import { attributesOf, type ControlProps } from './control-props.ts'

const pad = (number: number) => String(number).padStart(2, '0')

/** `YYYY-MM-DDTHH:mm` on the reader's clock, as the browser's control takes it. */
const localOf = (iso: string): string => {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return ''
  const day = [time.getFullYear(), pad(time.getMonth() + 1), pad(time.getDate())].join('-')
  return `${day}T${pad(time.getHours())}:${pad(time.getMinutes())}`
}

/** A moment: stored in UTC, chosen on the reader's clock. */
export const TimeControl = ({ value, onChange, ...props }: ControlProps<string | null>) => {
  if (props.readOnly) {
    return (
      <Box minH="8" lineHeight="32px" fontSize="sm" id={props.id}>
        {value ? momentOf(value) : '–'}
      </Box>
    )
  }
  return (
    <Input
      {...attributesOf(props)}
      type="datetime-local"
      disabled={props.disabled}
      value={value === null ? '' : localOf(value)}
      onChange={event => onChange(event.target.value === '' ? null : new Date(event.target.value).toISOString())}
    />
  )
}
