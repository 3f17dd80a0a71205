/** The time of a text `yyyy-MM-dd hh:mm:ss` in the time zone of the server, in milliseconds; NaN for any other text. */
export function localTime(text: string): number {
  const parts = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/.exec(text);
  if (!parts) return Number.NaN;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts.slice(1).map(Number);
  return new Date(year, month - 1, day, hour, minute, second).getTime();
}

const digits = (value: number, count = 2): string => String(value).padStart(count, '0');

/** A time as text `yyyy-MM-dd hh:mm:ss` in the time zone of the server. */
export function localText(time: Date): string {
  const date = [digits(time.getFullYear(), 4), digits(time.getMonth() + 1), digits(time.getDate())].join('-');
  return `${date} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => digits(part)).join(':')}`;
}
