import { Button, chakra, Stack, type StackProps, Text } from '@chakra-ui/react'
import { FileSpreadsheet } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'

interface Props {
  /** Accepted files, and the button text; the defaults are those of CSV. */
  readonly text?: string
  readonly choose?: string
  onChoose(): void
  onDrop(file: File): void
}

interface DropZoneProps extends StackProps {
  onFiles(files: readonly File[]): void
}

/** A dashed box that takes dropped files. */
export const DropZone = ({ onFiles, ...props }: DropZoneProps) => {
  const [isOver, setOver] = useState(false)
  return (
    <Stack
      align="center"
      gap="2"
      px="5"
      textAlign="center"
      borderWidth="1px"
      borderStyle="dashed"
      borderRadius="lg"
      {...props}
      borderColor={isOver ? 'accent.solid' : 'border.emphasized'}
      bg={isOver ? 'accent.subtle' : props.bg}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        event.preventDefault()
        setOver(false)
        onFiles([...event.dataTransfer.files])
      }}
    />
  )
}

/** Drop zone and file chooser. */
export const FilePicker = ({ text, choose, onChoose, onDrop }: Props) => {
  const { t } = useTranslation('list')
  const drop = ([file]: readonly File[]) => {
    if (file !== undefined) onDrop(file)
  }
  return (
    <DropZone mt="2" py="8" bg="bg" onFiles={drop}>
      <FileSpreadsheet size={26} strokeWidth={1.5} aria-hidden="true" />
      <Text textStyle="dense" color="fg.muted" maxW="420px">
        {text ?? t('import.text')}
      </Text>
      <Button data-autofocus="" mt="1" onClick={onChoose}>
        {choose ?? t('import.choose')}
      </Button>
    </DropZone>
  )
}

interface FileInputProps {
  readonly ref: RefObject<HTMLInputElement | null>
  /** Endings and types of file names that can be chosen, `.csv,text/csv`. */
  readonly accept: string
  readonly label: string
  onChoose(file: File): void
}

/** The input behind a picker, which is clicked for it. */
export const FileInput = ({ ref, accept, label, onChoose }: FileInputProps) => (
  <chakra.input
    ref={ref}
    type="file"
    accept={accept}
    hidden
    aria-label={label}
    onChange={event => {
      const file = event.target.files?.[0]
      // The same file can be chosen again after it was corrected.
      event.target.value = ''
      if (file !== undefined) onChoose(file)
    }}
  />
)
