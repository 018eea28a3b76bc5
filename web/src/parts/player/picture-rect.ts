/** Where a picture really lies inside an element that shows it whole (`object-fit: contain`). */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Rect extends Size {
  readonly x: number;
  readonly y: number;
}

export function pictureRect(element: Size, picture: Size): Rect {
  if (picture.width <= 0 || picture.height <= 0) return { x: 0, y: 0, ...element };
  const scale = Math.min(element.width / picture.width, element.height / picture.height);
  const width = picture.width * scale;
  const height = picture.height * scale;
  return { x: (element.width - width) / 2, y: (element.height - height) / 2, width, height };
}
